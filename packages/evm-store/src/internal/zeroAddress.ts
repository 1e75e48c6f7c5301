/** The address that tokens come from when they are minted, and that they go to when they are burnt. 20 bytes. */
export const ZERO_ADDRESS: Uint8Array = new Uint8Array(20)
