import { render } from 'preact';
import { App } from './app.js';
import { keepFocus } from './keep-focus.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/search.css';
import './styles/views.css';
import './styles/reading.css';

const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
  keepFocus();
}
