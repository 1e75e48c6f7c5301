import * as Layout from '../Layout.ts'

/** A BLS public key (48 bytes) with the proof of possession of its secret key (96 bytes). */
export const Signer = Layout.struct({ publicKey: Layout.hex(48), proofOfPossession: Layout.hex(96) })
