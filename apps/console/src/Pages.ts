import type { ComponentType } from 'preact'
import type { RouteName } from './Routes.ts'

/** What a page gets from its address. */
export interface PageProps {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** A module with a page. */
export interface PageModule {
  readonly Page: ComponentType<PageProps>
}

/** The module of each page, loaded when the page is opened. */
export const PAGES: Readonly<Record<RouteName, () => Promise<PageModule>>> = {
  home: () => import('./pages/Home.tsx'),
  search: () => import('./pages/Search.tsx'),
  settings: () => import('./pages/Settings.tsx'),
  webhooks: () => import('./pages/Webhooks.tsx'),
  webhook: () => import('./pages/Webhook.tsx'),
  validators: () => import('./pages/Validators.tsx'),
  validator: () => import('./pages/Validator.tsx'),
  subnets: () => import('./pages/Subnets.tsx'),
  subnet: () => import('./pages/Subnet.tsx'),
  blockchain: () => import('./pages/Blockchain.tsx'),
  blocks: () => import('./pages/Blocks.tsx'),
  block: () => import('./pages/Block.tsx'),
  transactions: () => import('./pages/Transactions.tsx'),
  transaction: () => import('./pages/Transaction.tsx'),
  address: () => import('./pages/Address.tsx'),
  supply: () => import('./pages/Supply.tsx'),
  warpMessages: () => import('./pages/WarpMessages.tsx'),
  warpMessage: () => import('./pages/WarpMessage.tsx'),
  warpTransaction: () => import('./pages/WarpTransaction.tsx'),
  warpQuorums: () => import('./pages/WarpQuorums.tsx'),
  warpQuorum: () => import('./pages/WarpQuorum.tsx'),
  warpVerify: () => import('./pages/WarpVerify.tsx'),
  evmChains: () => import('./pages/EvmChains.tsx'),
  evmChain: () => import('./pages/EvmChain.tsx'),
  evmBlocks: () => import('./pages/EvmBlocks.tsx'),
  evmBlock: () => import('./pages/EvmBlock.tsx'),
  evmTransactions: () => import('./pages/EvmTransactions.tsx'),
  evmTransaction: () => import('./pages/EvmTransaction.tsx'),
  evmAddress: () => import('./pages/EvmAddress.tsx'),
  evmToken: () => import('./pages/EvmToken.tsx'),
  metrics: () => import('./pages/Metrics.tsx'),
  evmNft: () => import('./pages/EvmNft.tsx'),
  operateProgress: () => import('./pages/OperateProgress.tsx'),
  operatePeers: () => import('./pages/OperatePeers.tsx'),
  operateUpstreams: () => import('./pages/OperateUpstreams.tsx'),
  operateLimits: () => import('./pages/OperateLimits.tsx'),
  operateKeys: () => import('./pages/OperateKeys.tsx'),
  operateLog: () => import('./pages/OperateLog.tsx'),
}
