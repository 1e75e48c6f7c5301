import type { GetLogParameters, OperatorLogLine } from '@firn/client/operate'
import { SelectField } from '../../components/evm/SelectField.tsx'
import { textColumn, timeColumn } from '../../components/operate/Columns.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Status, type Tone } from '../../components/Status.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import type { PageProps } from '../../PageModule.ts'
import { link } from '../../Routes.ts'
import { useOperateData } from '../../state/useOperate.ts'

type Level = NonNullable<GetLogParameters['level']>

const LEVELS: Readonly<Record<Level, string>> = {
  debug: 'Everything',
  info: 'Information',
  warn: 'Warnings',
  error: 'Errors',
}

/** Number of lines. Rows of longer tables have a fixed height, and these do not. */
const LINES = 150

/** The newest lines of the log of this process. */
export function Page({ query }: PageProps) {
  const level: Level =
    query['level'] !== undefined && query['level'] in LEVELS ? (query['level'] as Level) : 'info'
  const loaded = useOperateData(
    (operate, signal) => operate.getLog({ level, limit: LINES }, { signal }),
    [level],
  )
  return (
    <>
      <PageHead title="Log">
        The newest lines that this process has written since its start, the latest first. Secrets are hidden.
      </PageHead>
      <Panel title="Log" isPlain>
        <Table
          name="Log"
          rows={loaded.value?.lines.toReversed() ?? []}
          columns={COLUMNS}
          rowKey={({ sequence }) => String(sequence)}
          empty="This process has written no line of this level."
          isLoading={loaded.value === undefined && loaded.isLoading}
          error={loaded.error}
          onMore={loaded.reload}
          tools={
            <SelectField
              label="From level"
              value={level}
              options={LEVELS}
              onChange={(next) => {
                location.hash = link('operateLog', {}, { level: next })
              }}
            />
          }
        />
      </Panel>
    </>
  )
}

const TONES: Readonly<Record<Level, Tone>> = { debug: 'quiet', info: 'good', warn: 'warn', error: 'bad' }

const COLUMNS: readonly Column<OperatorLogLine>[] = [
  timeColumn('Time', ({ time }) => Math.floor(time / 1000)),
  {
    title: 'Level',
    cell: ({ level }) => <Status tone={TONES[level]}>{level}</Status>,
    text: ({ level }) => level,
  },
  textColumn('Message', ({ message }) => message, { isWrapped: true }),
  textColumn(
    'Facts',
    ({ facts }) =>
      Object.entries(facts)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    { isWrapped: true },
  ),
]
