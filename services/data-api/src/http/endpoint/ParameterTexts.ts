/** Description and example of a parameter. */
export interface ParameterText {
  readonly description: string
  readonly example: string | number | boolean | readonly string[]
}

const BECH32 = 'avax1qm2a25eytsrj235hq2vcp4xfqjxpqsrlr2ucqp'
const CB58 = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'
const BLOCKCHAIN = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
const HASH = '0x8ee3a0bfb6ff2ce0e39d6f5f4a3bd0fdd4d0a46f1b5b3d3b1f7a2b5e7d1c9a34'
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const CONTRACT = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
const TIME = 1_795_219_200

const text = <const Example extends ParameterText['example']>(description: string, example: Example) =>
  ({ description, example }) as const

/** Descriptions and examples of all parameters by name. An endpoint's parameter must have one of these names. */
export const PARAMETER_TEXTS = {
  address: text('EVM address, 0x and 40 hexadecimal digits; the case of the letters is ignored', CONTRACT),
  addresses: text('Addresses in bech32 with or without a chain prefix such as `P-`, or in hexadecimal', [
    BECH32,
  ]),
  apiKeyId: text(
    'Id of an API key; by default the key of the request, and all keys for operators',
    '9f86d081884c7d65',
  ),
  args: text(
    'Values that parameters of the event have, all of them, as `<name>=<value>`: integers as decimal text, addresses and bytes as 0x text, `true` or `false`. Of an indexed string, bytes, array or tuple, the value is its hash.',
    ['from=0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'value=1500000'],
  ),
  assetId: text('Id of an asset, in CB58', 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'),
  blockchainId: text(
    'Name of a chain (`p-chain`, `x-chain` or `c-chain`), or a blockchain id in CB58',
    'p-chain',
  ),
  blockId: text('Number or hash of a block', '16776960'),
  blockNumber: text(
    'Number of the block at the end of which balances are read; by default the newest',
    16_776_960,
  ),
  blockTimestamp: text('Time at which balances are read, in Unix seconds; by default now', TIME),
  chainId: text('EVM chain id, or a blockchain id in CB58', '43114'),
  contractAddress: text('Address of a contract; only tokens of this contract are listed', CONTRACT),
  contractAddresses: text('Addresses of contracts; only tokens of these contracts are listed', [CONTRACT]),
  currency: text('Currency of prices. It is ignored, because this service has no prices.', 'usd'),
  cursor: text('Cursor of the last received event, or 0 to start from the first event', '7'),
  decode: text(
    'Whether calls and logs are decoded: by verified ABIs, else by lists of signatures, which is a guess. Each decoded value tells its source.',
    true,
  ),
  delegationStatus: text('Status of the delegations to list; by default all', 'active'),
  destBlockchainId: text(
    'Destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain',
    BLOCKCHAIN,
  ),
  destinationBlockchainId: text(
    'Destination of the messages: its blockchain id in CB58, or the EVM chain id of a served chain',
    BLOCKCHAIN,
  ),
  endBlock: text(
    'Block before which the list ends: the block itself is not included. By default, the list includes the newest block.',
    16_776_960,
  ),
  endTimestamp: text('End of the time range, in Unix seconds; by default now', TIME),
  feature: text('Feature that the listed chains must have', 'nftIndexing'),
  filterSpamTokens: text(
    'Whether to leave out tokens with any of `spamReasons`; by default true for ERC-20 tokens, false for NFTs',
    true,
  ),
  from: text('Start of the time range, in Unix seconds', 1_790_000_000),
  groupBy: text('What the counts are grouped by; by default one count for each interval', 'rpcMethod'),
  id: text('Id of a webhook', '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11'),
  includeInactiveL1Validators: text('Whether to include L1 validators without balance', false),
  includeSpent: text('Whether to include spent outputs', false),
  l1ValidationId: text('Id of a validation, in CB58 or in hexadecimal', CB58),
  maxDelegationCapacity: text('Maximum capacity for delegations, in nAVAX', '7500000000000'),
  maxFeePercentage: text('Maximum commission, in percent', 10),
  maxTimeRemaining: text('Maximum remaining time of the validation, in seconds', 2_592_000),
  maxUptimePerformance: text('Maximum uptime, in percent', 100),
  messageId: text(
    'Id of a message, or of the Warp message that carries it, 64 hexadecimal digits with or without 0x, or in CB58',
    'acf1c8b06f9aec48e9fcbefbbe576ae8a7ca3b327fcae111396e7cc99956674d',
  ),
  metric: text('Name of the metric', 'txCount'),
  minDelegationCapacity: text('Minimum capacity for delegations, in nAVAX', '25000000000'),
  minFeePercentage: text('Minimum commission, in percent', 2),
  minTimeRemaining: text('Minimum remaining time of the validation, in seconds', 1_209_600),
  minUptimePerformance: text('Minimum uptime, in percent', 80),
  minUtxoAmount: text('Minimum amount of an output, in the smallest unit of its asset', '1000000000'),
  name: text('Name of an event', 'Transfer'),
  network: text('Name of the network, such as `mainnet` or `fuji`', 'fuji'),
  nodeId: text('Id of a node', NODE),
  operationId: text('Id of an operation', '9f86d081884c7d659a2feaa0c55ad015'),
  nodeIds: text('Ids of nodes', [NODE]),
  orgId: text('Organization of the API keys; a service has only one', 'default'),
  pageSize: text('Maximum number of elements of a page', 10),
  pageToken: text('`nextPageToken` of the previous page; absent for the first page', 'AAECAwQFBgcICQ'),
  proof: text('Whether the answer includes the validator set', false),
  report: text('Whether the answer includes the result of each validator', false),
  requestPath: text(
    'Path of the requests without the query, as logged, or path pattern of their endpoint, as counted',
    '/v1/chains/{chainId}/blocks',
  ),
  requestType: text(
    'Type of the requests. Requests to gateways have no API key, so `rpc` selects none.',
    'data',
  ),
  responseCode: text('Response code of the counted requests', '200'),
  rewardAddresses: text('Addresses that receive the rewards, in bech32 or in hexadecimal', [BECH32]),
  rlBypassApiToken: text('Name of a bypass token; only its requests are counted', 'partner'),
  rpcMethod: text('JSON-RPC method of the counted requests', 'eth_call'),
  signatures: text(
    'Whether the answer includes the signatures of the message, from the signature aggregator',
    false,
  ),
  sortBy: text('What the list is sorted by', 'timestamp'),
  sortOrder: text('Order of the list', 'desc'),
  sourceBlockchainId: text(
    'Source of the messages: its blockchain id in CB58, or the EVM chain id of a served chain',
    BLOCKCHAIN,
  ),
  srcBlockchainId: text(
    'Source of the messages: its blockchain id in CB58, or the EVM chain id of a served chain',
    BLOCKCHAIN,
  ),
  startBlock: text('First block of the list; by default the first block of the chain', 1_000_000),
  startKey: text('Former name of pageToken', '4b5f5e3c-9e5c-4d3a-8f6c-2f1d5b7a9c10'),
  startTimestamp: text('Start of the time range, in Unix seconds', 1_790_000_000),
  state: text('States to list; by default all', ['dead']),
  status: text('Status of the transactions to list; by default all', 'success'),
  subnetId: text('Id of a subnet, in CB58', '11111111111111111111111111111111LpoYY'),
  threshold: text('Balance that listed holders must exceed, in the smallest unit of the token', '1000000'),
  timeInterval: text('Length of the intervals', 'day'),
  to: text('End of the time range, in Unix seconds', TIME),
  tokenId: text('Token id within the contract, as decimal text', '1'),
  imageHash: text('SHA-256 of an image, 0x and 64 hexadecimal digits', HASH),
  topic0: text('Accepted values of the first topic', [HASH]),
  topic1: text('Accepted values of the second topic', [HASH]),
  topic2: text('Accepted values of the third topic', [HASH]),
  topic3: text('Accepted values of the fourth topic', [HASH]),
  txHash: text('Hash of a transaction; an id in CB58 on the Primary Network', CB58),
  txTypes: text('Types of the transactions to list; by default all', ['BaseTx']),
  validationStatus: text('Status of the validations to list; by default all', 'active'),
  vertexHash: text('Id of a vertex, in CB58', CB58),
  vertexHeight: text('Height that the listed vertices declare', 1_024),
} as const satisfies Readonly<Record<string, ParameterText>>

/** Name of a parameter. */
export type ParameterName = keyof typeof PARAMETER_TEXTS
