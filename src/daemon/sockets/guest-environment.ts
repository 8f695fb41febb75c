/** What a command is told that is carried out for a guest: it shows nothing that the guest may not see, and looks at nothing of the host's for it. */

/** Set for such a command. */
export const FOR_GUEST = 'YOLOFS_FOR_GUEST';
/** The directory of the view that its paths are seen from. It need not be one on the host. */
export const GUEST_DIRECTORY = 'YOLOFS_GUEST_DIRECTORY';
/** Those of its words that are names of something in the view, as the guest says; JSON. */
export const GUEST_FILES = 'YOLOFS_GUEST_FILES';
