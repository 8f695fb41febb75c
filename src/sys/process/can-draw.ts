/** Whether there is a terminal whose whole screen can be drawn on. */
export function canDraw(): boolean {
  const { stdin, stdout } = process;
  return stdin.isTTY === true && stdout.isTTY === true && process.env.TERM !== 'dumb';
}
