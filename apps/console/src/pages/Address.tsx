import type { PrimaryNetworkTransaction } from '@firn/client'
import { Amount } from '../components/Amount.tsx'
import { ChainField } from '../components/ChainField.tsx'
import { Id } from '../components/Id.tsx'
import { LabelField } from '../components/LabelField.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { BlockchainId } from '../components/Primary.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { TransactionTable } from '../components/TransactionTable.tsx'
import { plain, toBigInt } from '../format/Amounts.ts'
import { ALIASES, aliasOf, CHAINS } from '../format/Chains.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'
import { rowsOf, usePages } from '../state/usePages.ts'

const PAGE_SIZE = 50

/** An address: balances by state, and its transactions. */
export function Page({ parameters: { address: given = '' }, query: { chain: name } }: PageProps) {
  const address = given.replace(/^[PXC]-/, '')
  const chain = aliasOf(name)
  return (
    <>
      <PageHead kind="Address" title={<Id id={address} isWhole />} actions={<LabelField id={address} />} />
      <Balances address={address} />
      <History address={address} chain={chain} />
    </>
  )
}

/** An amount of an asset in one state. */
interface Balance {
  readonly chain: string
  readonly state: string
  readonly assetId: string
  readonly name: string
  readonly symbol: string
  readonly denomination: number
  readonly amount: string
  readonly utxoCount: number
  readonly sharedWithChainId?: string | undefined
}

/** Names of the states of balances, for all chains. */
const STATES: Readonly<Record<string, string>> = {
  unlocked: 'Unlocked',
  locked: 'Locked',
  unlockedUnstaked: 'Unlocked',
  unlockedStaked: 'Staked',
  lockedPlatform: 'Locked by the platform',
  lockedStakeable: 'Locked, can be staked',
  lockedStaked: 'Locked and staked',
  pendingStaked: 'Staked, not started',
  atomicMemoryUnlocked: 'Importable',
  atomicMemoryLocked: 'Importable, locked',
}

const BALANCES: readonly Column<Balance>[] = [
  { title: 'Chain', cell: ({ chain }) => chain, text: ({ chain }) => chain, sort: ({ chain }) => chain },
  { title: 'State', cell: ({ state }) => state, text: ({ state }) => state, sort: ({ state }) => state },
  {
    title: 'Amount',
    cell: ({ amount, denomination, symbol }) => (
      <Amount value={amount} decimals={denomination} symbol={symbol} />
    ),
    text: ({ amount, denomination }) => plain(amount, denomination),
    sort: ({ amount }) => toBigInt(amount),
    isNumber: true,
  },
  { title: 'Asset', cell: ({ name }) => name, text: ({ assetId }) => assetId },
  {
    title: 'Outputs',
    cell: ({ utxoCount }) => utxoCount,
    text: ({ utxoCount }) => String(utxoCount),
    sort: ({ utxoCount }) => utxoCount,
    isNumber: true,
  },
  {
    title: 'From',
    cell: ({ sharedWithChainId }) => sharedWithChainId && <BlockchainId id={sharedWithChainId} />,
    text: ({ sharedWithChainId }) => sharedWithChainId ?? '',
  },
]

function Balances({ address }: { readonly address: string }) {
  const { primary, network } = usePrimary()
  const loaded = useLoaded(
    async (signal) => {
      const chains = ALIASES.map(async (alias): Promise<readonly Balance[]> => {
        const parameters = { network, blockchainId: CHAINS[alias], addresses: [address] }
        const { balances } = await primary.getBalancesByAddresses(parameters, { signal })
        const states = Object.entries(balances) as [string, readonly Omit<Balance, 'chain' | 'state'>[]][]
        return states.flatMap(([state, assets]) =>
          assets.map((asset) => ({ ...asset, chain: `${alias}-chain`, state: STATES[state] ?? state })),
        )
      })
      return (await Promise.all(chains)).flat()
    },
    [network, address],
  )
  return (
    <Panel title="Balances">
      <Table
        name={`Balances of ${address}`}
        rows={loaded.value ?? []}
        columns={BALANCES}
        rowKey={({ chain, state, assetId, sharedWithChainId = '' }) =>
          [chain, state, assetId, sharedWithChainId].join(' ')
        }
        empty="This address has no balance on the Primary Network. C-chain accounts are EVM addresses."
        isLoading={loaded.isLoading}
        error={loaded.error}
        onMore={loaded.reload}
      />
    </Panel>
  )
}

function History({ address, chain }: { readonly address: string; readonly chain: 'P' | 'X' | 'C' }) {
  const { primary, network } = usePrimary()
  const list = usePages<PrimaryNetworkTransaction>(
    (signal) => {
      const parameters = { network, blockchainId: CHAINS[chain], addresses: [address], pageSize: PAGE_SIZE }
      const pages = primary.listLatestPrimaryNetworkTransactions.pages(parameters, { signal })
      return rowsOf(pages, ({ transactions }) => transactions)
    },
    [network, chain, address],
  )
  return (
    <Panel title="Transactions">
      <TransactionTable
        name={`${chain}-chain transactions of ${address}`}
        chain={chain}
        list={list}
        tools={<ChainField chain={chain} toHref={(one) => link('address', { address }, { chain: one })} />}
      />
    </Panel>
  )
}
