/** Kinds of pictures by the end of their names; what is sent says of itself what it is (routes/content.ts). */
import { basename } from 'node:path';

const IMAGES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', bmp: 'image/bmp' },
};

/** Undefined: none that is shown as a picture. */
export function imageType(path: string): string | undefined {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(basename(path)) ?? [];
  const name = extension.toLowerCase();
  return Object.hasOwn(IMAGES, name) ? IMAGES[name] : undefined;
}
