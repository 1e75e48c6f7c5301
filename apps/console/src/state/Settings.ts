import { useRender } from './useRender.ts'

/** What a user chooses. It is stored in this browser only. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly times: 'local' | 'utc'
  /** Names that the user gave to addresses, nodes and other ids. */
  readonly labels: Readonly<Record<string, string>>
  /** API key that is sent with requests; empty if there is none. */
  readonly apiKey: string
}

const KEY = 'firn-console'
const DEFAULTS: Settings = { theme: 'system', times: 'local', labels: {}, apiKey: '' }

let current = read()
const listeners = new Set<() => void>()

/** Reads the stored settings. Without storage, such as in a private window, the defaults apply. */
function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) }
  } catch {
    return DEFAULTS
  }
}

/** Changes settings and stores them. */
export function change(changed: Partial<Settings>): void {
  current = { ...current, ...changed }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Without storage the settings last until the page is closed.
  }
  apply()
  for (const listener of listeners) listener()
}

/** Sets the label of an id, or removes it if the text is empty. */
export function setLabel(id: string, label: string): void {
  const { [id]: _, ...others } = current.labels
  change({ labels: label.trim() === '' ? others : { ...others, [id]: label.trim() } })
}

/** Applies the theme to the document. */
export function apply(): void {
  document.documentElement.dataset['theme'] = current.theme
}

/** Returns the settings, and renders the component again when they change. */
export function useSettings(): Settings {
  useRender(listeners)
  return current
}
