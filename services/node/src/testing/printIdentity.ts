import { Hex } from '@firn/codec'
import * as OwnIdentity from '../identity/OwnIdentity.ts'

/** Prints the identity in the data folder that is given as the first argument. Runs as a separate process. */
const { nodeId, publicKey } = await OwnIdentity.load(OwnIdentity.files(process.argv[2] as string))
process.stdout.write(`${Hex.encode(nodeId)} ${Hex.encode(publicKey)}\n`)
