import { CheckedHex } from '@firn/codec'
import * as EvmBlock from './atomic/EvmBlock.ts'
import * as Container from './proposervm/Container.ts'
import * as Rlp from './Rlp.ts'
import { cases } from './testing/vectors.ts'

const blocks = cases('recorded-x-c', 'cBlock').map(
  ({ containerBytes }) => Container.open(CheckedHex.decode(containerBytes)).block,
)
const read = (item: Rlp.Item): Rlp.Value => (item.isList ? Rlp.items(item).map(read) : item.payload)
const values = blocks.map((block) => read(Rlp.decode(block)))

export const benchmarks = {
  [`decodes ${blocks.length} C-chain blocks as RLP`]: {
    firn: () => {
      for (const block of blocks) read(Rlp.decode(block))
    },
    'headers only': () => {
      for (const block of blocks) EvmBlock.decode(block)
    },
  },
  [`encodes ${blocks.length} C-chain blocks as RLP`]: {
    firn: () => {
      for (const value of values) Rlp.encode(value)
    },
  },
}
