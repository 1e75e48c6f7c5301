import type { ComponentChildren } from 'preact'
import type { Tone } from '../format/Tone.ts'

export type { Tone }

/** A state in one or two words, with a dot in its colour. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`status status-${tone}`}>{children}</span>
}

const TONES: Readonly<Record<string, Tone>> = {
  up: 'good',
  active: 'good',
  degraded: 'warn',
  pending: 'warn',
  down: 'bad',
  removed: 'bad',
}

/** Returns the tone of a state's name. */
export function toneOf(state: string): Tone {
  return TONES[state] ?? 'quiet'
}
