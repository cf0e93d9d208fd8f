/** A sentence about a declaration that cannot be used. */
export class WrongPort extends Error {}
