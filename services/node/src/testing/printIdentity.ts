import { Hex } from '@firn/codec'
import * as OwnIdentity from '../identity/OwnIdentity.ts'

/** Runs as a process: prints the identity of the data folder in its first argument. */
const { nodeId, publicKey } = await OwnIdentity.load(OwnIdentity.files(process.argv[2] as string))
process.stdout.write(`${Hex.encode(nodeId)} ${Hex.encode(publicKey)}\n`)
