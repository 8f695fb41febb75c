/** A daemon without some of its protections: `node open-daemon-main.js PROJECT NAME,NAME…`. Only this suite starts one. */
import { serve } from '../../src/daemon/life/serve.ts';
import { PROTECTIONS } from '../../src/sandbox/protections.ts';
import { exitNow } from '../../src/sys/libc.ts';

const [project = '', names = ''] = process.argv.slice(2);
const without = new Set(PROTECTIONS.filter((protection) => names.split(',').includes(protection)));
exitNow(await serve(project, without, () => undefined));
