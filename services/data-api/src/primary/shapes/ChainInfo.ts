import * as Schema from '../../http/endpoint/Schema.ts'

/** Chain and network of an answer. */
export const ChainInfo = Schema.object('PrimaryNetworkChainInfo', 'Chain and network of an answer', {
  chainName: Schema.choice(['p-chain', 'x-chain', 'c-chain'], 'Name of the chain'),
  network: Schema.text('`mainnet`, `fuji`, or the name of the custom network', 'fuji'),
})
