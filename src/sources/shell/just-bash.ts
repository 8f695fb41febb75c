import { UserError } from '../../sys/user-error.ts';

/** The library, which only who embeds sources needs. Throws a UserError where it is not installed. */
export async function loadJustBash(): Promise<typeof import('just-bash')> {
  try {
    return await import('just-bash');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError('just-bash is not installed', 'npm install just-bash@3.4.2');
  }
}
