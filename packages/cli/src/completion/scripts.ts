export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * The script that makes a shell complete our command. Each asks the command itself, by the path that was typed, so
 * that it never knows other words than the version in use; where that proposes nothing, file names are completed.
 */
export const scripts: Record<Shell, string> = {
  // Bash cuts words at : and =, so the line is read anew and what is before such a sign is taken off again.
  bash: `# bash completion for agentgate
_agentgate() {
  local line=\${COMP_LINE:0:COMP_POINT} command=\${COMP_WORDS[0]/#\\~/$HOME} word found
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=\${words[\${#words[@]}-1]}
  COMPREPLY=()
  while IFS=$'\\t' read -r found _; do
    [[ -n $found ]] && COMPREPLY+=("\${found#"\${word%"\${word##*[:=]}"}"}")
  done < <("$command" completion --words -- "\${words[@]:1}" 2>/dev/null)
  [[ \${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _agentgate agentgate
`,
  zsh: `#compdef agentgate
_agentgate() {
  local -a found items
  local line
  local -i at=\${words[(i)--]}
  if (( at < CURRENT )); then
    words=("\${(@)words[at+1,-1]}")
    (( CURRENT -= at ))
    _normal
    return
  fi
  found=("\${(@f)$("\${words[1]}" completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${found[@]}"; do
    [[ -n $line ]] && items+=("\${\${line%%$'\\t'*}//:/\\\\:}\${\${line#*$'\\t'}:+:\${line#*$'\\t'}}")
  done
  if (( \${#items} )); then
    _describe -V agentgate items
  else
    _files
  fi
}
if [[ \${funcstack[1]-} == _agentgate ]]; then
  _agentgate "$@"
else
  compdef _agentgate agentgate
fi
`,
  fish: `# fish completion for agentgate
function __agentgate_ask
    set -l tokens (commandline -opc)
    set -g __agentgate_found ($tokens[1] completion --words -- $tokens[2..-1] (commandline -ct) 2>/dev/null)
    test (count $__agentgate_found) -gt 0
end
complete -c agentgate -n __agentgate_ask -f -a '(printf "%s\\n" $__agentgate_found)'
`,
};
