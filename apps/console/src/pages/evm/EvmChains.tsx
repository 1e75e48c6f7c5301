import type { ChainInfo } from '@firn/client'
import { chainTitle } from '../../components/evm/OnChain.tsx'
import { Id } from '../../components/Id.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Status } from '../../components/Status.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { clean } from '../../format/ChainText.ts'
import { link } from '../../Routes.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'

/** The EVM chains that the service serves. */
export function Page() {
  const { evm } = useData()
  const loaded = useLoaded(async (signal) => (await evm.supportedChains({}, { signal })).chains, [])
  return (
    <>
      <PageHead title="EVM chains" />
      <Panel title="Served chains">
        <Table
          name="EVM chains"
          rows={loaded.value ?? []}
          columns={COLUMNS}
          rowKey={({ chainId }) => chainId}
          empty="This service serves no EVM chain."
          isLoading={loaded.isLoading}
          error={loaded.error}
          onMore={loaded.reload}
        />
      </Panel>
    </>
  )
}

const COLUMNS: readonly Column<ChainInfo>[] = [
  {
    title: 'Chain',
    cell: (chain) => (
      <a href={link('evmChain', { chainId: chain.chainId })}>
        <bdi>{chainTitle(chain)}</bdi>
      </a>
    ),
    text: chainTitle,
    sort: chainTitle,
  },
  {
    title: 'Chain id',
    cell: ({ chainId }) => chainId,
    text: ({ chainId }) => chainId,
    sort: ({ chainId }) => Number(chainId),
    isNumber: true,
  },
  {
    title: 'State',
    cell: ({ status }) =>
      status === 'OK' ? <Status tone="good">indexed</Status> : <Status tone="warn">no blocks yet</Status>,
    text: ({ status }) => status,
  },
  {
    title: 'Token',
    cell: ({ networkToken: { symbol } }) => <bdi>{clean(symbol)}</bdi>,
    text: ({ networkToken: { symbol } }) => symbol,
  },
  {
    title: 'Blockchain',
    cell: ({ platformChainId = '' }) =>
      platformChainId === '' ? <span class="muted">–</span> : <Id id={platformChainId} />,
    text: ({ platformChainId = '' }) => platformChainId,
  },
]
