import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { Hex, Json } from '@firn/codec'
import { createRecordedDevnet, GeneratedNetwork, RecordedNetwork } from '@firn/devnet'
import { Identity } from '@firn/p2p'
import { longChain, type Proposer, Recordings } from '@firn/store/testing'
import type { Source } from '../primary/Source.ts'
import { GENERATED_NETWORK } from './generatedNetwork.ts'

/**
 * Arguments of the process with five peers from which a benchmark syncs: `<made-up or transfers> <blocks>`. The process
 * prints the values of `--bootstrap-ids` and `--bootstrap-ips` when its peers listen.
 */
const [kind = '', blocks = ''] = process.argv.slice(2)
const count = Number(blocks)

async function networkOf(): Promise<RecordedNetwork.RecordedNetwork> {
  if (kind === 'made-up')
    return (await GeneratedNetwork.create({ networkId: GENERATED_NETWORK, blocks: count, seed: 'bench' }))
      .network
  const recording = Recordings.load('local')
  const proposers = [...Array.from({ length: 4 }, createEcdsaProposer), createRsaProposer()]
  const chain = longChain(recording, count, (height) => proposers[Number(height % 5n)] as Proposer)
  const all = chain[Symbol.iterator]()
  const source: Pick<Source, 'tip' | 'blocks'> = {
    tip: async (alias) => (alias === 'P' ? BigInt(count) : undefined),
    async blocks(_alias, _from, limit) {
      const found = Array.from({ length: limit }, () => all.next().value)
      return found.flatMap((block) =>
        block?.container
          ? [{ kind: 'container' as const, bytes: block.container.bytes, origin: 'bench' }]
          : [],
      )
    },
  }
  return RecordedNetwork.read({ rules: recording, source })
}

function createEcdsaProposer(): Proposer {
  const { certificate, tlsSign } = Identity.create({ blsSign: () => new Uint8Array(96) })
  return { certificate, sign: tlsSign }
}

/** Older nodes have RSA keys of 4,096 bits. Nothing reads the other fields of the certificate. */
function createRsaProposer(): Proposer {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096 })
  const info = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const [serial, empty] = [Hex.decodeBare('020100'), Hex.decodeBare('3000')]
  const tbs = sequence(Buffer.concat([serial, empty, empty, empty, empty, info]))
  return { certificate: sequence(tbs), sign: (message) => sign('sha256', message, privateKey) }
}

function sequence(content: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(0x30, 0x82, content.length >> 8, content.length & 0xff), content])
}

const devnet = await createRecordedDevnet({ network: await networkOf() })
process.stdout.write(`${Json.stringify(devnet.bootstrap)}\n`)
