// rico limit with frames and with parameters to look for: what is printed, written and refused.

#include "shell.h"


static void assert_said(const char *line, const char *words)
{
    long size;
    char said[2048];
    if (shell_run(line, said, sizeof said) != 0) fail_msg("%s: %s", line, said);
    char *text = shell_load("out.txt", &size);
    if (!strstr(text, words)) fail_msg("%s: '%s' is not in\n%s", line, words, text);
    free(text);
}


// The chapter's frame: 1.5 + mu/(1 - mu).
static void test_frame(void **state)
{
    (void)state;
    assert_said("rico limit frame.yaml",
                "hinges n = 4, supports with friction l = 1, redundancy h = 2, mechanisms e = 4");
    assert_said("rico limit frame.yaml", "kinematic     1.928571429");
    assert_said("rico limit frame.yaml", "static        1.928571429");
    assert_said("rico limit frame.yaml",
                "Coulomb       1.928571429   least load of collapse by Coulomb's law, proved");
    assert_said("rico limit frame.yaml", "mechanism     hinges: at 1, at 3; 5 slides");
    assert_said("rico limit frame.yaml --set mu=0.2 --associated", "collapse      1.75   associated bound");
    assert_said("rico limit frame.yaml --set mu=0.6", "mechanism     hinges: at 1, at 3, at 4");
    assert_said("rico limit frame.yaml --csv q.csv && cat q.csv",
                "stress,value,capacity,rate\nN at 5,1.428571");
    assert_said(
        "rico check frame.yaml",
        "frame.yaml: good\n  a frame for rico limit: 5 nodes, 4 bars; hinges: 4, supports with friction: 1");
    // at collapse nothing is open; without load M at the beam's ends is bounded by friction of the foot alone, |m_4| = t <= mu n = mu (m_3 - m_4)
    assert_said("rico limit frame.yaml --ranges all --at 1.9285714", "M at 3");
    assert_said("rico limit frame.yaml --ranges 'N at' --at 1.5",
                "what equilibrium at load factor 1.5 allows");
    assert_said("rico limit frame.yaml --ranges all --at 3", "no equilibrium at load factor 3");
    shell_expect("rico limit frame.yaml --ranges foot", 2, "no stress of the frame has 'foot' in its name");
    shell_expect("rico limit frame.yaml --at 1", 2, "--at needs --ranges");
    shell_expect("rico limit frame.yaml --gravity x", 2,
                 "--gravity belongs to scenes, and frame.yaml is a frame");
    shell_expect("rico limit frame.yaml --least mu --between 0,1", 2, "--least belongs to scenes");
    shell_expect("rico limit frame.yaml --set nu=1", 2, "nu");
    shell_expect("sed 's/support: clamped/support: pinned/; s/support: contact, friction: mu/support: "
                 "pinned/' frame.yaml > bad.yaml && "
                 "sed -i 's/\"4\": {at/\"4\": {suport: none, at/' bad.yaml && rico limit bad.yaml",
                 2, "unknown key 'suport' in node; did you mean 'support'?");
    shell_expect("rico check bad.yaml", 2, "bad.yaml:9:");
}


static void test_least(void **state)
{
    (void)state;
    assert_said("rico limit arch.yaml --least eta --between 0.05,0.3 --set mu=2",
                "least         eta = 0.1073477");
    assert_said("rico limit overhang.yaml --least f --between 0.9,1.1",
                "largest       f = 1   the structure stands up to there");
    shell_expect("rico limit arch.yaml --least eta", 2, "--least needs --between LOW,HIGH");
    shell_expect("rico limit arch.yaml --between 1,2", 2, "--between needs --least NAME");
    shell_expect("rico limit arch.yaml --least eta --between 0.1", 2, "expected two numbers, LOW,HIGH");
    shell_expect("rico limit arch.yaml --least eta --between a,b", 2, "expected two numbers, LOW,HIGH");
    shell_expect("rico limit arch.yaml --least eta --between 0.2,0.3", 2,
                 "the structure stands at eta = 0.2 and at 0.3");
    shell_expect("rico limit arch.yaml --least nothing --between 0.2,0.3", 2, "nothing");
    shell_expect("rico limit arch.yaml --least eta --between 0.1,3", 2, "arch.yaml:");
}


static int begin(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_scene("examples/frame/frame.yaml");
    shell_scene("examples/masonry/arch.yaml");
    shell_scene("examples/masonry/overhang.yaml");
    return 0;
}


static int end(void **state)
{
    (void)state;
    return shell_end();
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frame), cmocka_unit_test(test_least)};
    return cmocka_run_group_tests(tests, begin, end);
}
