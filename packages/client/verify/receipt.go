// Package receipt verifies a receipt of Standfast: that people approved this very call, once. docs/receipts.md
package receipt

import ("crypto/ed25519"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "errors"; "fmt"; "math"; "math/big"; "slices"; "strconv"; "strings"; "time"; "unicode/utf16"; "unicode/utf8")
type Claims struct {
	Iss, Sub, Agent, Kind, Task, AnswerHash, Digest, Jti string
	Tool                                           struct{ Name, CallId, ArgsHash string }
	By                                             []struct{ Id, At string; As []string }
	Quorum                                         int
	Stages                                         []struct{ Name string; Quorum int; By []string }
	Policy                                         struct{ Name, Version string }
	Iat, Exp                                       int64
}
// Expected says what is to be executed. Jwks is what Standfast's /.well-known/jwks.json says; Args or Answer are what json.Unmarshal
// made of JSON; Once is true the first time alone, atomically; what is empty is not compared.
type Expected struct {
	Jwks                                    []byte
	Agent, Kind, Tool, Issuer, Task, Role, Policy string // Kind of who decided: people if empty; several as people,grant
	Args, Answer                            any
	Stages                                  []string // names of those that each must have agreed
	Quorum                                  int
	Now                                     time.Time
	Once                                    func(jti string, exp int64) bool
}
// Canonical JSON (RFC 8785); it panics on what JSON or a double does not hold.
func Canonical(value any) string {
	texts := []string{}
	switch of := value.(type) {
	case map[string]any:
		keys := []string{}
		for key := range of { keys = append(keys, key) }
		slices.SortFunc(keys, func(a, b string) int { return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))) })
		for _, key := range keys { texts = append(texts, Canonical(key)+":"+Canonical(of[key])) }
		return "{" + strings.Join(texts, ",") + "}"
	case []any:
		for _, item := range of { texts = append(texts, Canonical(item)) }
		return "[" + strings.Join(texts, ",") + "]"
	case string:
		if !utf8.ValidString(of) { panic("receipt refused: a text of the call is not UTF-8") }
		for _, one := range of {
			at := strings.IndexRune("\"\\\b\f\n\r\t", one)
			if at >= 0 { texts = append(texts, `\`+string(`"\bfnrt`[at])) } else if one < 32 { texts = append(texts, fmt.Sprintf(`\u%04x`, one)) } else { texts = append(texts, string(one)) }
		}
		return `"` + strings.Join(texts, "") + `"`
	}
	text := fmt.Sprint(value)
	switch value.(type) {
	case nil: return "null"
	case bool: return text
	case float32, float64, json.Number, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		near, err := strconv.ParseFloat(text, 64)
		shortest, _ := json.Marshal(near+0) // as ECMAScript does; not -0
		exact, isRead := new(big.Rat).SetString(text)
		held, _ := new(big.Rat).SetString(string(shortest))
		// Beyond it a double is read of several integers.
		if err != nil || !isRead || math.Abs(near) >= 1<<53 || exact.Cmp(held) != 0 { panic("receipt refused: a double does not hold a number of the call; give it as text") }
		return string(shortest)
	}
	panic("receipt refused: the call is not what json.Unmarshal makes of JSON")
}
func hashOf(value any) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(Canonical(value)))) }
func decode(part string, into any) error {
	text, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil { return err }
	return json.Unmarshal(text, into)
}
// Verify returns the claims of a receipt that may be acted upon, or an error.
func Verify(jws string, want Expected) (claims Claims, err error) {
	defer func() { if why := recover(); why != nil { err = fmt.Errorf("%v", why) } }()
	var header, jwks = struct{ Alg, Typ, Kid string }{}, struct{ Keys []struct{ Crv, X, Kid string } }{}
	parts := append(strings.Split(jws, "."), "", "", "")
	isRead := len(parts) == 6 && !strings.ContainsAny(jws, "\r\n") && decode(parts[0], &header) == nil && decode(parts[1], &claims) == nil && json.Unmarshal(want.Jwks, &jwks) == nil
	ids, names, isSigned, isAll := []string{}, []string{}, false, len(claims.By) >= claims.Quorum && claims.Quorum >= max(want.Quorum, 1)
	for _, jwk := range jwks.Keys {
		key, _ := base64.RawURLEncoding.DecodeString(jwk.X)
		signature, _ := base64.RawURLEncoding.Strict().DecodeString(parts[2])
		isKey := jwk.Kid == header.Kid && jwk.Crv == "Ed25519" && len(key) == ed25519.PublicKeySize
		isSigned = isSigned || isKey && ed25519.Verify(key, []byte(parts[0]+"."+parts[1]), signature)
	}
	for _, one := range claims.By { ids, isAll = append(ids, one.Id), isAll && (want.Role == "" || slices.Contains(one.As, want.Role)) }
	lacks := func(all, some []string) bool { return slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) }) }
	for _, one := range claims.Stages {
		names, isAll = append(names, one.Name), isAll && !lacks(ids, one.By) && len(slices.Compact(slices.Sorted(slices.Values(one.By)))) >= one.Quorum
	}
	is := func(expected, claimed string) bool { return expected == "" || expected == claimed }
	isCall := is(want.Tool, claims.Tool.Name) && claims.Tool.ArgsHash == hashOf(want.Args)
	switch now := want.Now.Unix(); {
	case !isRead || header.Alg != "EdDSA" || header.Typ != "standfast-receipt+jwt" || !isSigned:
		err = errors.New("receipt refused: not signed by a known key")
	case claims.Iat > now+60 || claims.Exp <= now:
		err = errors.New("receipt refused: expired, or of the future")
	case claims.Agent != want.Agent || want.Tool != "" && !isCall || want.Tool == "" && claims.AnswerHash != hashOf(want.Answer):
		err = errors.New("receipt refused: for another call")
	case !slices.Contains(strings.Split(map[bool]string{true: "people", false: want.Kind}[want.Kind == ""], ","), claims.Kind) || !is(want.Issuer, claims.Iss) || !is(want.Task, claims.Task) || !is(want.Policy, claims.Policy.Name) || !isAll || lacks(names, want.Stages):
		err = errors.New("receipt refused: of another issuer, kind, task or policy, or without those who must approve")
	case want.Once == nil || !want.Once(claims.Jti, claims.Exp):
		err = errors.New("receipt refused: used")
	}
	return claims, err
}
