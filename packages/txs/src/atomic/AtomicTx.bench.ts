import { CheckedHex, Hex } from '@firn/codec'
import * as Container from '../proposervm/Container.ts'
import { type Engine, peer } from '../testing/engines.ts'
import { cases } from '../testing/vectors.ts'
import * as AtomicBatch from './AtomicBatch.ts'
import * as AtomicTx from './AtomicTx.ts'
import * as EvmBlock from './EvmBlock.ts'

const recorded = cases('recorded-x-c', 'atomic').map(({ bytes }) => CheckedHex.decode(bytes))
const all = [...recorded, ...cases('cchain-atomic-txs', 'valid').map(({ bytes }) => Hex.decode(bytes))]
const containers = cases('recorded-x-c', 'cBlock').map(({ containerBytes }) =>
  CheckedHex.decode(containerBytes),
)

export const roundTrips = {
  [`${all.length} atomic transactions`]: {
    inputs: all,
    engines: { firn: AtomicTx as unknown as Engine, avalanchejs: peer('EVM') },
  },
  [`${containers.length} containers of C-chain blocks`]: {
    inputs: containers,
    engines: { firn: Container as unknown as Engine },
  },
}

export const benchmarks = {
  [`hashes and atomic transactions of ${containers.length} containers of C-chain blocks`]: {
    firn: () => {
      for (const bytes of containers) AtomicBatch.of(EvmBlock.decode(Container.open(bytes).block), 0n)
    },
  },
}
