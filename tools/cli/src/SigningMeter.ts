import type { Terminal } from '@firn/options'
import * as Meter from '@firn/options/meter'
import type { JobProgress, MessageProgress } from './JobEvents.ts'

const percent = (part: bigint, whole: bigint): string =>
  whole === 0n ? '0' : (Number((part * 1_000n) / whole) / 10).toString()

const partOf = ({ state, collectedWeight = '0', neededWeight = '0' }: MessageProgress): number => {
  if (state === 'signed' || state === 'failed') return 1
  const needed = Number(neededWeight)
  return needed === 0 ? 0 : Math.min(Number(collectedWeight) / needed, 1)
}

/** Returns the part of the work that is done, and a text: weights for one message, otherwise numbers. */
export const reading = ({ messages, signed, failed, current }: JobProgress): Meter.Reading => {
  const [only] = current
  if (messages !== 1) {
    const text = `${signed} of ${messages} messages signed${failed === 0 ? '' : `, ${failed} failed`}`
    return { part: messages === 0 ? 0 : (signed + failed) / messages, text }
  }
  if (only?.totalWeight === undefined) return { part: 0, text: 'waiting' }
  const total = BigInt(only.totalWeight)
  const share = (weight = '0') => percent(BigInt(weight), total)
  const text = `${share(only.collectedWeight)} % of the weight signed, ${share(only.neededWeight)} % needed`
  return { part: partOf(only), text }
}

/**
 * Runs `work` and returns its result. Meanwhile, a terminal shows a progress bar. Without a terminal, plain lines
 * are printed.
 */
export const during = async <T>(
  terminal: Terminal,
  title: string,
  work: (onProgress: (progress: JobProgress) => void) => Promise<T>,
): Promise<T> => {
  let last: Meter.Reading = { part: 0, text: 'waiting' }
  if (!terminal.isInteractive) terminal.note(title)
  const meter = Meter.start(terminal, title, () => last)
  try {
    const result = await work((progress) => {
      last = reading(progress)
    })
    meter.stop('signed')
    return result
  } catch (error) {
    meter.fail(last.text)
    throw error
  }
}
