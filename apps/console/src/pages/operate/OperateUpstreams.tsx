import type { OperatorUpstream } from '@firn/client/operate'
import { numberColumn, textColumn, timeColumn } from '../../components/operate/Columns.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Status } from '../../components/Status.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useOperateData } from '../../state/useOperate.ts'

/** Health, latency and errors of the nodes to which this process sends requests. */
export function Page() {
  const loaded = useOperateData((operate, signal) => operate.getUpstreams({}, { signal }))
  return (
    <>
      <PageHead title="Upstreams">
        Nodes and services to which this process has sent requests since its start.
      </PageHead>
      <Panel title="Upstreams" isPlain>
        <Table
          name="Upstreams"
          rows={loaded.value?.upstreams ?? []}
          columns={COLUMNS}
          rowKey={({ service, upstream }) => `${service} ${upstream}`}
          empty="This process has not sent a request to any node yet."
          isLoading={loaded.value === undefined && loaded.isLoading}
          error={loaded.error}
          onMore={loaded.reload}
        />
      </Panel>
    </>
  )
}

const COLUMNS: readonly Column<OperatorUpstream>[] = [
  textColumn('Node', ({ upstream }) => upstream),
  textColumn('Used by', ({ service }) => service.replace(/^firn_/, '').replaceAll('_', ' ')),
  {
    title: 'Last request',
    cell: ({ isHealthy }) => (
      <Status tone={isHealthy ? 'good' : 'bad'}>{isHealthy ? 'succeeded' : 'failed'}</Status>
    ),
    text: ({ isHealthy }) => (isHealthy ? 'succeeded' : 'failed'),
    sort: ({ isHealthy }) => (isHealthy ? 1 : 0),
  },
  numberColumn('Mean time', ({ meanMilliseconds }) => Math.round(meanMilliseconds * 10) / 10, ' ms'),
  numberColumn('Requests', ({ requests }) => requests),
  numberColumn('Failures', ({ failures }) => failures),
  timeColumn('Last failure', ({ lastFailure }) => lastFailure),
  textColumn('Last error', ({ lastError }) => lastError, { isWrapped: true }),
]
