// Colours after Okabe and Ito (2008), which people with any colour vision tell apart; light and dark as the system has it.

export const MODES = ['open', 'stick', 'slip', 'rolling'] as const;
export const MODE_COLOURS = ['#9aa0a6', '#0072b2', '#d55e00', '#009e73'];
export const BODY_COLOURS = ['#56b4e9', '#e69f00', '#cc79a7', '#f0e442', '#7f9fbf', '#c9a27a'];
export const IMPULSE = '#cc3311';
export const FORCE = '#0072b2'; // of joints
export const MOMENT = '#e69f00';
export const selected = () => (theme().dark ? '#ffffff' : '#111111');

export interface Theme {
  dark: boolean;
  background: string;
  ground: string;
  text: string;
  grid: string;
}

export function theme(): Theme {
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  return dark
    ? { dark, background: '#16181d', ground: '#3a3f47', text: '#d7dae0', grid: '#2d3139' }
    : { dark, background: '#f5f6f8', ground: '#c4c9d1', text: '#24272d', grid: '#dcdfe4' };
}

export const LEDGER: Record<string, [string, string]> = {
  kinetic: ['kinetic', '#0072b2'],
  potential: ['potential', '#56b4e9'],
  algorithmic: ['of the scheme', '#999999'],
  normal: ['lost in impacts', '#d55e00'],
  tangential: ['lost in friction', '#e69f00'],
  damping: ['lost in damping', '#cc79a7'],
  joint: ['taken by joints', '#f0e442'],
  external: ['taken by forces', '#8c6d31'],
  obstacle: ['taken by drives', '#117733'],
  projection: ['taken by projection', '#882255'],
  numerical: ['taken by the scheme', '#666666'],
};
