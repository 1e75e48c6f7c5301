import { CHAIN_ALIASES, Json } from '@firn/codec'
import { Command, option, Type } from '@firn/options'
import * as Input from '../Input.ts'
import * as Tree from '../Tree.ts'
import * as Decode from './Decode.ts'

export const COMMAND = Command.create({
  description:
    'Decodes a text or file: cb58, hex, an address, a NodeID; a transaction, block, container, vertex or UTXO of the P-, X- or C-chain; a genesis; a Warp message, signed message or proof bundle.',
  example: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  operands: [
    {
      name: 'anything',
      help: 'The text, the name of a file that contains it, or - for standard input.',
    },
  ],
  options: {
    network: option(Type.network, {
      aliases: ['networkId'],
      defaultText: 'the network of the structure, otherwise local',
      help: 'Network for which addresses are formatted.',
    }),
    chain: option(Type.choice(...CHAIN_ALIASES), {
      help: 'Chain whose structure is shown if several match, such as UTXOs.',
    }),
    json: option(Type.flag, {
      default: false,
      help: "Print JSON instead of a tree. It is the JSON of the node's API if there is one.",
    }),
  },
  run: async ({ network, chain, json: asJson }, { operands: [given = ''], terminal }) => {
    const { tree, json = tree } = Decode.decode(Input.text(given), {
      ...(network !== undefined && { networkId: network }),
      ...(chain !== undefined && { chain }),
    })
    if (asJson) terminal.print(Json.stringify(json))
    else for (const line of Tree.format('', tree)) terminal.print(line)
  },
})
