/** The files of the page, by their names: what lies in one directory when the server starts, and nothing else. */
import { join } from 'node:path';
import { lookAt, namesIn } from '../../../sys/files/text-files.ts';

const TYPES: Readonly<Record<string, string>> = {
  ...{ html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' },
  ...{ svg: 'image/svg+xml', png: 'image/png', ico: 'image/x-icon', woff2: 'font/woff2', json: 'application/json' },
  ...{ txt: 'text/plain; charset=utf-8' },
};

export interface Asset {
  readonly file: string;
  readonly type: string;
}

/** By the path of the request; `/` is index.html. */
export function assetsIn(directory: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of namesIn(directory)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    const file = join(directory, name);
    if (type === undefined || lookAt(file)?.isFile() !== true) continue;
    assets.set(`/${name}`, { file, type });
    if (name === 'index.html') assets.set('/', { file, type });
  }
  return assets;
}
