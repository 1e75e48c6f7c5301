import type { ChainInfo } from '@firn/client'
import type { ComponentChildren } from 'preact'
import { clean } from '../../format/ChainText.ts'
import { link } from '../../Routes.ts'
import { useChain } from '../../state/useChain.ts'
import { Loadable } from '../Loadable.tsx'
import { Tabs } from '../Tabs.tsx'

/** Shows what needs the facts of an EVM chain, such as the token in which fees are paid. */
export function OnChain({
  chainId,
  children,
}: {
  readonly chainId: string
  readonly children: (chain: ChainInfo) => ComponentChildren
}) {
  return (
    <Loadable loaded={useChain(chainId)} what="the chain">
      {children}
    </Loadable>
  )
}

/** Returns the name of a chain for people. */
export function chainTitle({ chainName, chainId }: Pick<ChainInfo, 'chainName' | 'chainId'>): string {
  return chainName === '' ? `Chain ${chainId}` : clean(chainName)
}

const VIEWS = {
  evmChain: 'Overview',
  evmBlocks: 'Blocks',
  evmTransactions: 'Transactions',
} as const

/** Links to the views of a chain. */
export function ChainTabs({
  chain: { chainId },
  current,
}: {
  readonly chain: ChainInfo
  readonly current: keyof typeof VIEWS
}) {
  const names = Object.keys(VIEWS) as readonly (keyof typeof VIEWS)[]
  return (
    <Tabs
      label="Views of the chain"
      tabs={names.map((name) => ({
        title: VIEWS[name],
        href: link(name, { chainId }),
        isCurrent: name === current,
      }))}
    />
  )
}
