// Keys: one table that listens to them and tells of them.

export interface Key {
  keys: string[]; // as the browser names them; the first ones are told
  told: string;
  does: string;
  act(event: KeyboardEvent): void;
}

export class Keys {
  private overlay: HTMLElement | null = null;

  constructor(
    private readonly table: Key[],
    private readonly holder: HTMLElement,
  ) {
    window.addEventListener('keydown', event => this.hear(event));
  }

  private hear(event: KeyboardEvent): void {
    const at = event.target;
    const typing = at instanceof HTMLSelectElement || (at instanceof HTMLInputElement && at.type !== 'range');
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (event.key === 'Escape' && this.overlay) {
      this.help();
      return;
    }
    const found = this.table.find(one => one.keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.act(event);
  }

  // Shows or hides the list of keys.
  help(): void {
    if (this.overlay) {
      this.overlay.remove();
      this.overlay = null;
      return;
    }
    const overlay = document.createElement('div');
    overlay.className = 'help';
    overlay.setAttribute('role', 'dialog');
    overlay.setAttribute('aria-label', 'keys');
    const sheet = document.createElement('div');
    const list = document.createElement('dl');
    for (const one of this.table) {
      const [term, told] = [document.createElement('dt'), document.createElement('dd')];
      for (const word of one.told.split(' ')) {
        const key = document.createElement('kbd');
        key.textContent = word;
        term.append(key);
      }
      told.textContent = one.does;
      list.append(term, told);
    }
    const hint = document.createElement('p');
    hint.textContent = 'Drag to turn, right button to shift, wheel to come closer; click bodies and contacts for what they did. Drop a camera path (.json), or a model (.glb) for the body that was clicked, on the page.';
    const title = document.createElement('h2');
    title.textContent = 'Keys';
    sheet.append(title, list, hint);
    overlay.append(sheet);
    overlay.onclick = () => this.help();
    this.holder.append(overlay);
    this.overlay = overlay;
  }
}
