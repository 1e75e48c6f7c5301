import { count } from '../../format/Amounts.ts'
import { type Signer, share } from '../../warp/Outcomes.ts'
import { Id } from '../Id.tsx'
import { NodeIdLink } from '../Primary.tsx'
import { Status } from '../Status.tsx'
import { type Column, Table } from '../Table.tsx'

/** Validators that sign for a subnet, those that are missing first. */
export function Signers({
  name,
  signers,
  hasPages,
}: {
  readonly name: string
  readonly signers: readonly Signer[]
  /** Whether this service has pages of validators. */
  readonly hasPages: boolean
}) {
  const total = signers.reduce((sum, { weight }) => sum + weight, 0n)
  const rows = signers.toSorted(
    (one, other) => Number(other.isMissing) - Number(one.isMissing) || (one.weight < other.weight ? 1 : -1),
  )
  return (
    <Table
      name={name}
      rows={rows}
      columns={columns(total, hasPages)}
      rowKey={({ nodeIds }) => nodeIds.join(' ')}
      empty="This subnet has no validators."
    />
  )
}

function columns(total: bigint, hasPages: boolean): readonly Column<Signer>[] {
  return [
    {
      title: 'Validator',
      cell: ({ nodeIds: [first = '', ...others] }) => (
        <>
          {hasPages ? <NodeIdLink id={first} /> : <Id id={first} />}
          {others.length > 0 && <span class="muted"> and {others.length} more</span>}
        </>
      ),
      text: ({ nodeIds }) => nodeIds.join(' '),
      sort: ({ nodeIds: [first = ''] }) => first,
    },
    {
      title: 'Outcome',
      cell: ({ words: { title, tone } }) => <Status tone={tone}>{title}</Status>,
      text: ({ words: { title } }) => title,
      sort: ({ words: { title } }) => title,
    },
    {
      title: 'Weight',
      cell: ({ weight }) => count(weight),
      text: ({ weight }) => String(weight),
      sort: ({ weight }) => weight,
      isNumber: true,
    },
    {
      title: 'Share',
      cell: ({ weight }) => share(weight, total),
      text: ({ weight }) => share(weight, total),
      isNumber: true,
    },
    {
      title: 'Answered after',
      cell: ({ latencyMs }) => (latencyMs === undefined ? '' : `${Math.round(latencyMs)} ms`),
      text: ({ latencyMs }) => (latencyMs === undefined ? '' : String(Math.round(latencyMs))),
      sort: ({ latencyMs }) => latencyMs ?? Number.POSITIVE_INFINITY,
      isNumber: true,
    },
    { title: 'Reason', cell: ({ detail }) => detail, text: ({ detail }) => detail },
  ]
}
