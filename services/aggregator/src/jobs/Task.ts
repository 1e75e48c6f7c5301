import { Json } from '@firn/codec'
import type { Parts } from '../Answer.ts'
import type { Limits } from '../Signatures.ts'
import { signAll } from './Batch.ts'
import type { Tracker } from './JobProgress.ts'
import type { JobOutcome } from './JobStore.ts'
import { type Signing, sign } from './Signing.ts'

/** The work of a job: a request body of one of the synchronous routes, which has been checked. */
export interface Task {
  readonly kind: 'message' | 'batch'
  /** The body for a single message, or the messages of a batch. */
  readonly body: unknown
  readonly parts: Parts
}

/** Converts a task to JSON. Integers beyond 2^53 keep their value. */
export function toText(task: Task): string {
  return Json.stringify(task as unknown as Json.Json)
}

/** Does the work of a task in the JSON of {@link toText}, and returns the response of the synchronous route. */
export async function perform(
  text: string,
  limits: Limits,
  { key, tracker }: { readonly key: string; readonly tracker: Tracker },
  signing: Signing,
): Promise<Pick<JobOutcome, 'isDone' | 'body'>> {
  const { kind, body, parts } = Json.parse(text) as unknown as Task
  if (kind === 'batch') {
    const answer = await signAll(body as readonly unknown[], parts, limits, { key, tracker }, signing)
    return { isDone: true, body: JSON.stringify(answer) }
  }
  tracker.begin(1)
  const end = signing.clock.now() + limits.deadlineMs
  const one = { ...limits, end, key, watcher: tracker.watcher(0) }
  const { messageId: _, ...answer } = await sign(body, parts, one, signing)
  return { isDone: answer.signedMessage !== undefined, body: JSON.stringify(answer) }
}
