import * as Schema from './Schema.ts'

/** A BLS public key (48 bytes) with the proof of possession of its secret key (96 bytes). */
export const Signer = Schema.struct({ publicKey: Schema.hex(48), proofOfPossession: Schema.hex(96) })
