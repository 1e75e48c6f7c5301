import { Common, group, NamedChains, option, Type } from '@firn/options'
import * as Keep from './Keep.ts'

const CHAINS = NamedChains.type(
  {
    placeholder: 'url,…',
    expected:
      "URLs of a chain's nodes separated by commas, such as http://127.0.0.1:8545, or <chain id>=<url>,<url>",
  },
  (names) => names.length <= 1 && names.every(NamedChains.isId),
)

/** Options for indexing EVM chains. */
export const OPTIONS = {
  ...group('EVM chains', {
    chain: option(CHAINS, {
      help: "URLs of an EVM chain's nodes, separated by commas. Write <chain id>=<url> if no node reports the id. Repeat the option for more chains.",
    }),
    eventLogs: option(Type.flag, {
      default: true,
      help: 'Store the event logs of new blocks.',
      negatedHelp: 'Do not store the event logs of new blocks, to save space on disk.',
    }),
    checkBalances: option(Type.flag, {
      default: true,
      help: "Compare token balances with the contracts' answers.",
      negatedHelp: "Do not compare token balances with the contracts' answers, to save calls to the nodes.",
    }),
    traceTimeout: option(Type.duration({ leastMs: 1_000, mostMs: 290_000 }), {
      default: 240_000,
      help: 'Longest time that a node may take for the traces of a block. The time limit starts at 15s and grows while the node is too slow. A block whose traces no node returns in time is stored without its internal calls, which are added later.',
    }),
    events: option(Type.list(Type.path), {
      help: 'JSON files with ABIs, or folders of them, whose events are decoded into separate tables.',
    }),
    eventsOnly: option(Type.flag, {
      default: false,
      help: 'Store only headers and the logs of --events, which nodes send faster: no transactions, transfers, balances and metrics.',
    }),
    eventTypes: option(Type.path, {
      help: 'File to which TypeScript types of the events are written.',
    }),
    indexesAfterBackfill: option(Type.flag, {
      default: false,
      help: 'Fill an empty database without the indexes that only requests need, which takes less time, and build them near the head. Until then, the chain is not served.',
    }),
    keep: option(Keep.TYPE, {
      defaultText: 'everything',
      help: 'How long to keep kinds of data, such as traces=90d,logs=30d. Start with <chain id>: for one chain only.',
    }),
    ipfsGateway: option(Type.list(Type.url('http', 'https')), {
      defaultText: 'public gateways',
      help: 'Gateways from which the metadata and the images of tokens with ipfs: URIs are fetched.',
    }),
    nftImageBytes: option(Type.bytes, {
      default: 0,
      help: 'Total size of the copies of NFT images to store per chain. The oldest are removed. 0 stores none, and removes all.',
    }),
  }),
  ...Common.POLL_INTERVAL,
}

/** Option to remove a stored chain. */
export const RESET = group('EVM chains', {
  reset: option(NamedChains.ID, {
    help: 'Remove a stored chain, for example after its nodes were reset. It is indexed again when it is followed.',
  }),
})
