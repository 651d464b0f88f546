/** The data of a world cannot be reached now; a later call may succeed. */
export class Unavailable extends Error {}
