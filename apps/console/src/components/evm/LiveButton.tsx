import type { Following } from '../../state/useChanges.ts'
import { Status, type Tone } from '../Status.tsx'

const STATES: Readonly<Record<Following, readonly [tone: Tone, text: string]>> = {
  live: ['good', 'live'],
  polling: ['warn', 'every 5 seconds'],
  paused: ['quiet', 'paused'],
}

/** Says how new blocks arrive, with a button that pauses them. */
export function LiveButton({
  following,
  onPause,
}: {
  readonly following: Following
  readonly onPause: (isPaused: boolean) => void
}) {
  const [tone, text] = STATES[following]
  const isPaused = following === 'paused'
  return (
    <span class="live">
      <Status tone={tone}>{text}</Status>
      <button type="button" class="button button-small" onClick={() => onPause(!isPaused)}>
        {isPaused ? 'Continue' : 'Pause'}
      </button>
    </span>
  )
}
