import { render } from 'preact'
import { App } from './App.tsx'
import * as Settings from './state/Settings.ts'

Settings.apply()
const root = document.getElementById('console')
if (root !== null) render(<App />, root)
