import { Json } from '@firn/codec'
import type { JobOutcome } from '@firn/jobs'
import { logError } from '../errors/RequestErrors.ts'
import { type Parts, toFailure } from '../json/Answer.ts'
import type { Limits } from '../signing/Signatures.ts'
import { signAll } from './Batch.ts'
import type { Share } from './FairSlots.ts'
import type { Tracker } from './JobProgress.ts'
import { type Signing, sign } from './Signing.ts'
import { parseSource, signSource } from './SourceRequest.ts'

/** The work of a job: a request body of one of the synchronous routes, which has been checked. */
export type Task = {
  readonly kind: 'message' | 'batch' | 'source'
  /** The body for a single message or a source chain, or the messages of a batch. */
  readonly body: Json.Json
  readonly parts: Parts
}

/** What {@link perform} needs to know about a job. */
interface Work {
  readonly share: Share
  readonly tracker: Tracker
  /** Called with the number of messages of a source chain before they are signed; throws if the caller has no units left. */
  readonly onFound: ((messages: number) => void) | undefined
}

/** Converts a task to JSON. Integers beyond 2^53 keep their value. */
export function toText(task: Task): string {
  return Json.stringify(task)
}

/** Does the work of a task in the JSON of {@link toText}, and returns the response of the synchronous route. */
export async function perform(
  text: string,
  limits: Limits,
  { share, tracker, onFound }: Work,
  signing: Signing,
): Promise<Pick<JobOutcome, 'isDone' | 'body'>> {
  const { kind, body, parts } = Json.parse(text) as Task
  if (kind === 'batch') {
    const answer = await signAll(body as readonly unknown[], parts, limits, { share, tracker }, signing)
    return { isDone: true, body: JSON.stringify(answer) }
  }
  if (kind === 'source') {
    try {
      const answer = await signSource(parseSource(body), parts, limits, { share, tracker }, signing, onFound)
      return { isDone: true, body: JSON.stringify(answer) }
    } catch (cause) {
      const error = limits.signal.aborted ? limits.signal.reason : cause
      logError(limits, error)
      return { isDone: false, body: JSON.stringify(toFailure(error, parts.report)) }
    }
  }
  tracker.begin(1)
  const end = signing.clock.now() + limits.deadlineMs
  const one = { ...limits, end, share, watcher: tracker.watcher(0) }
  const { messageId: _, ...answer } = await sign(body, parts, one, signing)
  return { isDone: answer.signedMessage !== undefined, body: JSON.stringify(answer) }
}
