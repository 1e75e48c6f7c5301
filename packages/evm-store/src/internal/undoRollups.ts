import type { Session } from '@firn/sql'
import { type BlockRow, PERIODS, type Period, type RollupRow } from '../EvmSchema.ts'
import { COUNTS, empty, merge, ofBlock, type RollupSums, startOf, write } from './Rollups.ts'
import type { Undone } from './Undone.ts'

/** The shorter period from which each period is summed. Hours are summed from their blocks. */
const WITHIN: { readonly [P in Period]: Period | undefined } = {
  hour: undefined,
  day: 'hour',
  week: 'day',
  month: 'day',
  all: 'month',
}

/**
 * Recomputes, from the remaining blocks, the periods that contain the first undone block. All later periods are
 * deleted: they contain only undone blocks, because block times never decrease. `counts` contains the changes of the
 * numbers of addresses.
 */
export async function undoRollups(
  session: Session,
  height: bigint,
  undone: readonly Undone[],
  counts: RollupSums,
): Promise<void> {
  const [last] = await session.query('select time from block where height = $1', [String(height)])
  for (const period of PERIODS) {
    const start = startOf(period, undone[0]?.time ?? 0n)
    const gone = await session.query('delete from rollup where period = $1 and start >= $2 returning *', [
      period,
      String(start),
    ])
    if (last === undefined || startOf(period, last['time'] as bigint) !== start) continue
    const stored = gone.find((row) => row['start'] === start) as RollupRow | undefined
    const row = await sum(session, period, start, height)
    for (const name of COUNTS) {
      row[name] = (stored?.[name] ?? 0n) + counts.row(period, start)[name]
    }
    await write(session, [row])
  }
}

/**
 * Returns the totals of a period up to a height. The undone blocks must already be removed from the shorter
 * periods.
 */
async function sum(session: Session, period: Period, start: bigint, height: bigint): Promise<RollupRow> {
  const row = empty(period, start)
  const within = WITHIN[period]
  if (within !== undefined) {
    const text = 'select * from rollup where period = $1 and start >= $2'
    const parts = await session.query(text, [within, String(start)])
    for (const part of parts as unknown as readonly RollupRow[]) merge(row, part)
    return row
  }
  const blocks = (await session.query(BLOCKS, [
    String(start),
    String(height),
  ])) as unknown as readonly BlockRow[]
  blocks.forEach((block, i) => {
    if (block.time >= start) merge(row, ofBlock(period, block, blocks[i - 1]))
  })
  return row
}

/** The blocks from a time on, and the block before them. */
const BLOCKS = `(select * from block where time < $1 and height <= $2 order by time desc, height desc limit 1)
  union all (select * from block where time >= $1 and height <= $2) order by height`
