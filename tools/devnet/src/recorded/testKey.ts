import { PrivateKey, PublicKey } from '@firn/keys'

/** The public test key that owns the AVAX of the local network. */
export const KEY = PrivateKey.parse('PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN')
/** Address of {@link KEY}. */
export const ADDRESS = PublicKey.address(PrivateKey.publicKey(KEY))
/** Fee of a transaction in nAVAX, before fees depended on the load. */
export const FEE = 1_000_000n
