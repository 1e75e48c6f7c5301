import { CheckedHex, Hex } from '@firn/codec'
import * as Container from '../proposervm/Container.ts'
import { compare, type Engine, peer } from '../testing/engines.ts'
import { cases } from '../testing/vectors.ts'
import * as AtomicBatch from './AtomicBatch.ts'
import * as AtomicTx from './AtomicTx.ts'
import * as EvmBlock from './EvmBlock.ts'

const recorded = cases('recorded-x-c', 'atomic').map(({ bytes }) => CheckedHex.decode(bytes))
const all = [...recorded, ...cases('cchain-atomic-txs', 'valid').map(({ bytes }) => Hex.decode(bytes))]
const containers = cases('recorded-x-c', 'cBlock').map(({ containerBytes }) =>
  CheckedHex.decode(containerBytes),
)

export const benchmarks = {
  ...compare(`${all.length} atomic transactions`, all, {
    firn: AtomicTx as unknown as Engine,
    avalanchejs: peer('EVM'),
  }),
  ...compare(`${containers.length} containers of C-chain blocks`, containers, {
    firn: Container as unknown as Engine,
  }),
  [`the hashes and atomic transactions in ${containers.length} containers of C-chain blocks`]: {
    firn: () => {
      for (const bytes of containers) AtomicBatch.of(EvmBlock.decode(Container.open(bytes).block), 0n)
    },
  },
}
