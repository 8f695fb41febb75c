/** Where what homes are made of is kept: root directories, images, other machines' Node. */
export const HOMES = process.env.YOLOFS_TEST_HOMES ?? '/var/tmp/yolofs-homes';
