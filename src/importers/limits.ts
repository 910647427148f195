/** Bounds of what is held in memory at once: more than any real conversation, far less than a machine has. */
export const limits = {
  /** One conversation of an export. */
  elementBytes: 64_000_000,
  /** One line of a log. */
  lineBytes: 32_000_000,
  /** A conversation in an export of our own: twice the largest that an import takes in, so that each comes back. */
  ownLineBytes: 128_000_000,
  /** A file that is read whole. */
  fileBytes: 128_000_000,
};
