import type { OperatorExamination, OperatorProgress } from '@firn/client/operate'
import { numberColumn, textColumn, timeColumn } from '../../components/operate/Columns.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Status, type Tone } from '../../components/Status.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { clean } from '../../format/ChainText.ts'
import { duration } from '../../format/Times.ts'
import { link } from '../../Routes.ts'
import { useOperateData } from '../../state/useOperate.ts'

/** Progress, lag and problems of indexing, and the last results of the doctor. */
export function Page() {
  const progress = useOperateData((operate, signal) => operate.getIndexing({}, { signal }))
  const doctor = useOperateData((operate, signal) => operate.getDoctor({}, { signal }).catch(withoutDoctor))
  const chains = progress.value?.chains ?? []
  const results = doctor.value?.results ?? []
  const problems = [
    ...chains.flatMap((one) => one.problems.map((problem) => `${nameOf(one)}: ${problem}`)),
    ...results.flatMap(({ chain, kind, findings }) => findings.map((text) => `${kind}, ${chain}: ${text}`)),
  ]
  return (
    <>
      <PageHead title="Indexing and checks">
        How far each chain is indexed, what is wrong with it, and the last results of firn doctor.
      </PageHead>
      <Panel title="Indexing">
        <Table
          name="Indexing"
          rows={chains}
          columns={CHAIN_COLUMNS}
          rowKey={({ kind, chain }) => `${kind} ${chain}`}
          empty="No chain is indexed."
          isLoading={progress.value === undefined && progress.isLoading}
          error={progress.error}
          onMore={progress.reload}
        />
      </Panel>
      {progress.value !== undefined && (
        <Panel title="Problems">
          {problems.length === 0 ? (
            <p>
              <Status tone="good">No problems are known.</Status>
            </p>
          ) : (
            <ul class="found">
              {problems.map((problem) => (
                <li key={problem}>{clean(problem, MOST_CHARACTERS)}</li>
              ))}
            </ul>
          )}
        </Panel>
      )}
      {doctor.value !== undefined && (
        <Panel title="Last checks">
          <Table
            name="Last checks"
            rows={results}
            columns={CHECK_COLUMNS}
            rowKey={({ chain, kind }) => `${chain} ${kind}`}
            empty="The data has not been checked yet. Run firn doctor."
          />
        </Panel>
      )}
    </>
  )
}

/** Longest description of a problem. */
const MOST_CHARACTERS = 1_000

/** Services without a database have no results. */
function withoutDoctor(error: { readonly code?: string }) {
  if (error.code === 'CLIENT_NOT_FOUND') return undefined
  throw error
}

function nameOf({ chain, kind }: OperatorProgress): string {
  return kind === 'primary' ? `${chain}-chain` : `Chain ${chain}`
}

const TONES: Readonly<Record<string, Tone>> = {
  tip: 'good',
  following: 'good',
  behind: 'warn',
  applying: 'warn',
  fetching: 'warn',
  bootstrapping: 'warn',
  halted: 'bad',
  failed: 'bad',
}

const CHAIN_COLUMNS: readonly Column<OperatorProgress>[] = [
  {
    title: 'Chain',
    cell: (row) =>
      row.kind === 'primary' ? (
        nameOf(row)
      ) : (
        <a href={link('evmChain', { chainId: row.chain })}>{nameOf(row)}</a>
      ),
    text: nameOf,
    sort: nameOf,
  },
  {
    title: 'Phase',
    cell: ({ phase, problems }) => (
      <Status tone={problems.length > 0 ? 'bad' : (TONES[phase] ?? 'quiet')}>{phase}</Status>
    ),
    text: ({ phase }) => phase,
    sort: ({ phase }) => phase,
  },
  numberColumn('Height', ({ height }) => height),
  numberColumn('Lag', ({ lag }) => lag),
  numberColumn('Head', ({ head }) => head),
  timeColumn('Last block', ({ time }) => time),
  numberColumn('Blocks/s', ({ blocksPerSecond }) => blocksPerSecond),
  textColumn('Time left', ({ secondsLeft }) =>
    secondsLeft === undefined || secondsLeft < 1 ? undefined : duration(secondsLeft),
  ),
  numberColumn('Missing indexes', ({ missingIndexes }) => missingIndexes),
  textColumn('Lease', ({ holder }) => holder),
]

const CHECK_COLUMNS: readonly Column<OperatorExamination>[] = [
  textColumn('Checked', ({ chain }) => chain),
  textColumn('Check', ({ kind }) => kind),
  {
    title: 'Result',
    cell: ({ findingCount }) =>
      findingCount === 0 ? (
        <Status tone="good">nothing is missing</Status>
      ) : (
        <Status tone="bad">{`${findingCount} found`}</Status>
      ),
    text: ({ findingCount }) => String(findingCount),
    sort: ({ findingCount }) => findingCount,
  },
  timeColumn('Ended', ({ finishedAt }) => finishedAt),
  textColumn('Took', ({ seconds }) => (seconds < 1 ? 'less than a second' : duration(seconds))),
]
