// Runs before the first paint: a stored choice of theme wins over the system's, and a font that the browser has is used.
try {
  const theme = localStorage.getItem('holdpoint.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (localStorage.getItem('holdpoint.font') === 'inter') document.documentElement.dataset.font = 'inter';
} catch {
  // Storage may be forbidden; the system's choice is kept.
}
