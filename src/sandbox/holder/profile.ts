/** The AppArmor profile of root's copy of the holder (installed-copy.ts). */
import { COPY } from '../installed-copy.ts';

const PROFILE_NAME = 'yolofs-holder';

/**
 * What the copy may. `userns` is the right that other programs lack. It executes nothing, and maps nothing as code but what the
 * system's directories hold: no LD_PRELOAD turns it into another program. Its rights over mounts and the like count in its own
 * namespaces only, as it has none outside.
 */
export const PROFILE = `# Of yolofs: lets its holder make the namespaces of a view. Written by 'yolofs setup', taken away by 'yolofs setup --remove'.
abi <abi/4.0>,
include <tunables/global>

profile ${PROFILE_NAME} ${COPY} flags=(attach_disconnected) {
  userns,
  capability sys_admin,
  capability net_admin,
  capability dac_override,
  capability dac_read_search,
  capability fowner,
  capability fsetid,
  capability chown,
  capability mknod,
  mount,
  remount,
  umount,
  pivot_root,
  network inet dgram,
  unix,
  signal,
  ptrace (readby, tracedby),
  / rw,
  /** rwlk,
  /{usr/,}{bin,lib,lib64}/** mr,

  include if exists <local/${PROFILE_NAME}>
}
`;
