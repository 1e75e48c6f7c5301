/** Groups of endpoints in the documentation. Clients name a group by its tag in camel case, such as `primaryNetwork`. */
export const TAGS: Readonly<Record<string, string>> = {
  'Primary Network':
    'Blocks, transactions, outputs, balances, stakers and rewards of the P- and X-chain and the atomic part of the C-chain. Amounts of AVAX are in nAVAX: 10⁹ nAVAX are 1 AVAX.',
  EVM: 'Blocks, transactions, logs, tokens and balances of EVM chains. Amounts of the native token are in wei: 10¹⁸ wei are one coin.',
  'Interchain messages':
    'Messages between chains: Warp messages, and messages of TeleporterMessenger contracts, with what each followed chain logged about them.',
  Metrics: 'Metrics of EVM chains and of staking, by time.',
  'Signature aggregator': 'Signatures of validators for Warp messages.',
  Webhooks:
    'Messages about events of addresses, sent to URLs of the caller. A webhook belongs to the API key that created it; other keys cannot see it.',
  Operations:
    'Exports of transactions as files. They run in the background; whoever knows the id of an operation may read its file.',
  Usage: 'Requests that RPC gateways forwarded to nodes.',
  Health: 'Checks for load balancers. They need no key and cost nothing.',
}
