// Files from the page: pictures, and what hands them to the person who asked.

import { theme } from './palette';
import type { Viewer } from './viewer';

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// All stages in one picture, beside each other and with their names where there are two.
export class Sheet {
  readonly canvas = document.createElement('canvas');
  private readonly pen = this.canvas.getContext('2d')!;

  constructor(
    private readonly viewers: Viewer[],
    private readonly factor: number,
  ) {
    for (const viewer of viewers) viewer.stage?.refine(factor);
    const parts = this.parts();
    // encoders of videos want even numbers
    this.canvas.width = 2 * Math.ceil(parts.reduce((sum, one) => sum + one.width, 0) / 2);
    this.canvas.height = 2 * Math.ceil(Math.max(...parts.map(one => one.height)) / 2);
  }

  // A run of coordinates alone is a chart, which is a canvas too.
  private parts(): HTMLCanvasElement[] {
    return this.viewers.map(viewer => viewer.stage?.draw() ?? (viewer.find('.stage canvas') as HTMLCanvasElement));
  }

  draw(): void {
    const colours = theme();
    this.pen.fillStyle = colours.background;
    this.pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    let x = 0;
    this.parts().forEach((part, i) => {
      this.pen.drawImage(part, x, 0);
      if (this.viewers.length > 1) {
        const size = (13 * part.width) / (part.clientWidth || part.width);
        this.pen.fillStyle = colours.text;
        this.pen.font = `${size}px system-ui, sans-serif`;
        this.pen.fillText(this.viewers[i].name, x + size, 1.8 * size);
        if (i > 0) this.pen.fillRect(x, 0, Math.max(1, size / 13), this.canvas.height);
      }
      x += part.width;
    });
  }

  blob(): Promise<Blob | null> {
    return new Promise(resolve => this.canvas.toBlob(resolve, 'image/png'));
  }

  // Stages are as fine as the page again.
  release(): void {
    if (this.factor !== 1) for (const viewer of this.viewers) viewer.stage?.refine(1);
  }
}
