import type { ValidatorDetails } from '@firn/client'
import { useState } from 'preact/hooks'
import { Amount } from '../components/Amount.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { NodeIdLink } from '../components/Primary.tsx'
import { Status, toneOf } from '../components/Status.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { Time } from '../components/Time.tsx'
import { AVAX_DECIMALS, plain, toBigInt } from '../format/Amounts.ts'
import { PRIMARY_NETWORK_ID } from '../format/Chains.ts'
import { format } from '../format/Times.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { useSettings } from '../state/Settings.ts'
import { rowsOf, usePages } from '../state/usePages.ts'

type Row = ValidatorDetails
type Filter = 'active' | 'pending' | 'completed'

const PAGE_SIZE = 100
const FILTERS: readonly Filter[] = ['active', 'pending', 'completed']

/** Validators of the Primary Network. All of them are loaded, so sorting and filtering need no request. */
export function Page({ query: { status } }: PageProps) {
  const { primary, network } = usePrimary()
  const { labels } = useSettings()
  const [text, setText] = useState('')
  const validationStatus = FILTERS.find((one) => one === status) ?? 'active'
  const list = usePages<Row>(
    (signal) => {
      const parameters = { network, subnetId: PRIMARY_NETWORK_ID, validationStatus, pageSize: PAGE_SIZE }
      return rowsOf(primary.listValidators.pages(parameters, { signal }), ({ validators }) => validators)
    },
    [network, validationStatus],
    { isWhole: true },
  )
  const wanted = text.trim().toLowerCase()
  const rows = list.rows.filter(({ nodeId }) =>
    `${nodeId} ${labels[nodeId] ?? ''}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <PageHead title="Validators">
        Validators of the Primary Network, with their own and their delegated stake.
      </PageHead>
      <Panel title="Validators" isPlain>
        <Table
          name={`Validators ${validationStatus}`}
          rows={rows}
          columns={COLUMNS}
          rowKey={({ txHash, startTimestamp }) => `${txHash} ${startTimestamp}`}
          empty={
            wanted === ''
              ? `There are no ${validationStatus} validators.`
              : 'No validator matches the filter.'
          }
          isLoading={list.isLoading}
          error={list.error}
          onMore={list.more}
          tools={
            <>
              <label class="field">
                Status
                <select
                  value={validationStatus}
                  onChange={({ currentTarget: { value } }) => {
                    location.hash = link('validators', {}, { status: value })
                  }}
                >
                  {FILTERS.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              </label>
              <label class="field">
                Filter
                <input
                  type="search"
                  value={text}
                  placeholder="NodeID or label"
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              </label>
            </>
          }
        />
      </Panel>
    </>
  )
}

/** Columns of lists of validators. */
export const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Node',
    cell: ({ nodeId }) => <NodeIdLink id={nodeId} />,
    text: ({ nodeId }) => nodeId,
    sort: ({ nodeId }) => nodeId,
  },
  {
    title: 'Status',
    cell: ({ validationStatus }) => <Status tone={toneOf(validationStatus)}>{validationStatus}</Status>,
    text: ({ validationStatus }) => validationStatus,
  },
  {
    title: 'Stake',
    cell: ({ amountStaked }) => <Amount value={amountStaked} />,
    text: ({ amountStaked }) => plain(amountStaked, AVAX_DECIMALS),
    sort: ({ amountStaked }) => toBigInt(amountStaked),
    isNumber: true,
  },
  {
    title: 'Delegated',
    cell: (row) => <Amount value={delegated(row)} />,
    text: (row) => plain(delegated(row), AVAX_DECIMALS),
    sort: (row) => toBigInt(delegated(row)),
    isNumber: true,
  },
  {
    title: 'Delegators',
    cell: (row) => ('delegatorCount' in row ? row.delegatorCount : 0),
    text: (row) => String('delegatorCount' in row ? row.delegatorCount : 0),
    sort: (row) => ('delegatorCount' in row ? row.delegatorCount : 0),
    isNumber: true,
  },
  {
    title: 'Commission',
    cell: (row) => (commission(row) === undefined ? '–' : `${commission(row)} %`),
    text: (row) => commission(row) ?? '',
    sort: (row) => Number(commission(row) ?? 0),
    isNumber: true,
  },
  {
    title: 'Uptime',
    cell: (row) => uptime(row) ?? <span class="muted">–</span>,
    text: (row) => uptime(row) ?? '',
    sort: (row) => ('uptimePerformance' in row ? row.uptimePerformance : -1),
    isNumber: true,
  },
  {
    title: 'Ends',
    cell: (row) => <Ends row={row} />,
    text: (row) => ('endTimestamp' in row ? format(row.endTimestamp, 'utc') : ''),
    sort: (row) => ('endTimestamp' in row ? row.endTimestamp : 0),
  },
]

function Ends({ row }: { readonly row: Row }) {
  return 'endTimestamp' in row ? <Time at={row.endTimestamp} /> : <span class="muted">–</span>
}

function delegated(row: Row): string {
  return ('amountDelegated' in row ? row.amountDelegated : undefined) ?? '0'
}

function commission(row: Row): string | undefined {
  return 'delegationFee' in row ? row.delegationFee : undefined
}

/** Returns the uptime as text; undefined if nobody observed it. */
export function uptime(row: Row): string | undefined {
  if (!('uptimePerformance' in row) || row.uptimePerformance < 0) return undefined
  return `${row.uptimePerformance.toFixed(2)} %`
}
