// One file, viewer/dist/viewer.js, with the licences of what is in it at its top: pages that are sent around carry them along.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

function licences() {
  const of = name => `${name}\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}`;
  const text = `Ricochet's viewer, BSD-3-Clause. It holds these:\n\n${of('three')}\n\n${of('uplot')}`;
  return `/*!\n${text.replaceAll('*/', '* /')}\n*/`;
}

const keep = {
  name: 'licences',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      // the page holds the program between <script> and </script>
      file.code = `${licences()}\n${file.code.replaceAll('</script', '<\\/script')}`;
    }
  },
};

export default defineConfig({
  plugins: [keep],
  build: {
    outDir: 'dist',
    target: 'es2022',
    lib: { entry: 'src/main.ts', formats: ['iife'], name: 'ricochet', fileName: () => 'viewer.js' },
  },
});
