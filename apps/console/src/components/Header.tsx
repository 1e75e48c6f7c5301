import { link } from '../Routes.ts'
import { change, useSettings } from '../state/Settings.ts'
import { SearchBox } from './SearchBox.tsx'

/** Name of the console, the search box, and switches for theme and time zone. */
export function Header({
  isMenuOpen,
  onMenu,
}: {
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
}) {
  return (
    <header class="top">
      <button
        type="button"
        class="icon-button menu-button"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        aria-controls="menu"
        onClick={onMenu}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M2 4h12M2 8h12M2 12h12" />
        </svg>
      </button>
      <a class="brand" href={link('home')}>
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <path d="M4 27 16 5l12 22h-7l-5-9.5L11 27z" />
        </svg>
        Firn
      </a>
      <SearchBox />
      <div class="switches">
        <TimeSwitch />
        <ThemeSwitch />
      </div>
    </header>
  )
}

function TimeSwitch() {
  const { times } = useSettings()
  const next = times === 'utc' ? 'local' : 'utc'
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={times === 'utc' ? 'UTC times, show local times' : 'Local times, show UTC'}
      onClick={() => change({ times: next })}
    >
      {times === 'utc' ? 'UTC' : 'Local'}
    </button>
  )
}

const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const
const THEME_PATHS = {
  system: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.5 3.5l1 1M11.5 11.5l1 1M12.5 3.5l-1 1M4.5 11.5l-1 1',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
} as const

function ThemeSwitch() {
  const { theme } = useSettings()
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Theme: ${theme}. Change to ${NEXT_THEME[theme]}`}
      title={`Theme: ${theme}`}
      onClick={() => change({ theme: NEXT_THEME[theme] })}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={THEME_PATHS[theme]} />
      </svg>
    </button>
  )
}
